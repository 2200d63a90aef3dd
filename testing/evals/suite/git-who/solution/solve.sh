commit=$(git log --format=%H -1 -G'^limit = ' -- .)
git show -s --format='%an %ad' --date=format:%Y-%m-%d "$commit" > answer.txt
