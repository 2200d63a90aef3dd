prints $'svc-07\nsvc-19\nsvc-31\nsvc-40' 'cat answer.txt'
