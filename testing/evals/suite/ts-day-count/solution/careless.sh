sed -i 's/Math.floor(/Math.round(/' src/days.ts
