commit=$(git log --diff-filter=D --format=%H -1 -- notes/plan.md)
git show "$commit^:notes/plan.md" > plan.restored && mkdir -p notes && mv plan.restored notes/plan.md
