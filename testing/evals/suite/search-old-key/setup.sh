for n in $(seq -w 1 45); do
  mkdir -p services/svc-$n
  { echo '[service]'; echo "name = svc-$n"; case $n in
      07) echo 'timeout_sec = 5';; 19) echo '   timeout_sec=9';; 31) printf '\ttimeout_sec\t= 1\n';; 40) echo '; timeout_sec = 1'; echo 'timeout_sec = 2';;
      11) echo '; timeout_sec = 5'; echo 'timeout = 5';; 23) echo '#timeout_sec = 5';; 28) echo 'note = timeout_sec = old';; 35) echo 'old_timeout_sec = 5';;
      *) echo 'timeout = 3';; esac; } > services/svc-$n/service.ini
done
