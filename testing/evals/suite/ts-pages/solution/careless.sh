sed -i 's/Math.floor(articles \/ size) + 1/Math.ceil(articles \/ size)/' src/pages.ts
