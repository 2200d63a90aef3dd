tree='mkdir -p /tmp/f/b "/tmp/f/a a" && printf 1 > "/tmp/f/a a/x.txt" && printf 2 > /tmp/f/b/x.txt && printf 3 > /tmp/f/x.txt && printf h > /tmp/f/.rc && printf i > /tmp/f/b/.rc && printf m > /tmp/f/Makefile && printf n > /tmp/f/b/Makefile && printf t > /tmp/f/b/a.tar.gz && printf l > "/tmp/f/two
lines.md" && ln -s x.txt /tmp/f/link.txt;'
prints '9' "$tree bash flatten.sh /tmp/f /tmp/t"
prints '1 2 3' "$tree bash flatten.sh /tmp/f /tmp/t >/dev/null; echo \$(cat /tmp/t/x.txt) \$(cat /tmp/t/x-2.txt) \$(cat /tmp/t/x-3.txt)"
prints 'h i m n t l' "$tree bash flatten.sh /tmp/f /tmp/t >/dev/null; cd /tmp/t; echo \$(cat .rc) \$(cat .rc-2) \$(cat Makefile-2 | sed s/n/m/) \$(cat Makefile | sed s/m/n/) \$(cat a.tar.gz) \$(cat two*lines.md)"
prints 'old 1 9 10' "$tree mkdir /tmp/t && printf old > /tmp/t/x.txt; bash flatten.sh /tmp/f /tmp/t >/tmp/n; echo \$(cat /tmp/t/x.txt) \$(cat /tmp/t/x-2.txt) \$(cat /tmp/n) \$(find /tmp/t -type f -print0 | tr -cd '\\0' | wc -c)"
