make='mkdir -p "/tmp/d/a b/-x" && cd /tmp/d && printf "1\n2\n" > "a b/c d.txt" && printf "1\n" > "a b/-x/-n.txt" && printf "" > .hidden.txt && printf "x\n" > "[a].txt" && printf "x\n" > a.txt && printf "x" > no.md && cd - >/dev/null;'
prints $'0 .hidden.txt\n1 [a].txt\n1 a b/-x/-n.txt\n2 a b/c d.txt\n1 a.txt' "$make bash count-lines.sh /tmp/d"
prints $'0 .hidden.txt' "$make cd /tmp/d && bash \"\$OLDPWD/count-lines.sh\" . | head -n 1"
prints '2' 'bash count-lines.sh /tmp/none 2>/dev/null; echo $?'
prints '' 'mkdir -p /tmp/empty && bash count-lines.sh /tmp/empty'
