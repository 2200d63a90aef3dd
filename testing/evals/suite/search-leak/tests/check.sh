prints '3' 'cat answer.txt'
prints '0' "grep -rEo '[\"'\\'']ak_live_[A-Za-z0-9]{16}[\"'\\'']' app | wc -l"
prints '3' "grep -rEoh '[(=:] ?process.env.ACCESS_KEY[,);]' app | wc -l"
prints '1' "grep -rho ak_test_0123456789abcdef app | wc -l"
prints '1' "grep -rho ak_live_short app | wc -l"
