days() { prints "$1" "TZ=$3 node -e 'import(\"./src/days.js\").then(({daysBetween}) => { try { console.log(daysBetween($2)) } catch (error) { console.log(error.name) } })'"; }
for zone in UTC Europe/Berlin America/New_York Pacific/Apia; do
  days 1 '"2025-03-30", "2025-03-31"' $zone
  days 31 '"2025-03-01", "2025-04-01"' $zone
  days 1 '"2025-10-26", "2025-10-27"' $zone
  days -365 '"2025-12-31", "2024-12-31"' $zone
  days 366 '"2024-01-01", "2025-01-01"' $zone
  days 2 '"2011-12-29", "2011-12-31"' $zone
done
days RangeError '"2025-02-30", "2025-03-01"' UTC
days RangeError '"2025-1-1", "2025-03-01"' UTC
days RangeError '"tomorrow", "2025-03-01"' Europe/Berlin
