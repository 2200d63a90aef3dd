prints 'dan 2025-01-06' 'cat answer.txt'
