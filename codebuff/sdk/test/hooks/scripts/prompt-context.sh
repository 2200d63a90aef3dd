# UserPromptSubmit: what the model should know with every prompt.
cat > /dev/null
echo "The freeze begins on Friday."
