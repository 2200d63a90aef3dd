git rev-parse HEAD > answer.txt
