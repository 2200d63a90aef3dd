# SessionStart startup: what every session begins with.
cat > /dev/null
echo "Open issues: 12, 14."
