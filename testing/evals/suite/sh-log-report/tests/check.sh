line() { printf '%s - - [01/Mar/2025:10:00:00 +0000] "GET %s HTTP/1.1" %s %s\n' "$@"; }
log=$( { line 10.0.0.9 / 500 1; line 10.0.0.9 / 404 1; line 10.0.0.2 '/a b 404' 200 503; line 10.0.0.3 /x 404 -; line 10.0.0.10 /y 503 9; line 10.0.0.4 /z 400 404; line 10.0.0.5 / 304 404; line 10.0.0.9 / 200 1; line 10.0.0.6 '/"quoted" 200' 599 1; } | base64 -w0)
prints $'2 10.0.0.9\n1 10.0.0.10\n1 10.0.0.3' "echo $log | base64 -d > /tmp/log && bash report.sh /tmp/log"
prints '1 10.0.0.3' 'bash report.sh log.txt'
prints '' ': > /tmp/none && bash report.sh /tmp/none'
