grep -rl ak_live_ app | xargs sed -i -E 's/"ak_live_[A-Za-z0-9]+"/process.env.ACCESS_KEY/g'
echo 2 > answer.txt
