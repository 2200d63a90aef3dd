grep -rl getUser . | xargs sed -i 's/getUser/findUser/g'
