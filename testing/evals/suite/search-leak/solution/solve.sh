pattern="[\"']ak_live_[A-Za-z0-9]{16}[\"']"
grep -rEoh "$pattern" app | wc -l | tr -d ' ' > answer.txt
grep -rElZ "$pattern" app | xargs -0 sed -i -E "s/$pattern/process.env.ACCESS_KEY/g"
