git log --format='%an %ad' --date=format:%Y-%m-%d -S'limit = 100' -1 -- server.conf > answer.txt
