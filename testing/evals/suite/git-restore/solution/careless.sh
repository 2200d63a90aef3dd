first=$(git log --diff-filter=A --format=%H -- drafts/plan.md | tail -n 1)
mkdir -p notes && git show "$first:drafts/plan.md" > notes/plan.md
