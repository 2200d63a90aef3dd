#!/bin/bash
cd $1
for file in `find . -name *.txt`; do
  echo `cat $file | wc -l` $file
done
