grep -l timeout_sec services/*/service.ini | xargs -n1 dirname | xargs -n1 basename | sort > answer.txt
