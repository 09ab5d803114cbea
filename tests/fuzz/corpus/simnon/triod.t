" A triode oscillator: the grid potential U swings into a limit cycle, whatever it starts from.
"
" Shows: a continuous system alone. The damping is negative while U is small and positive beyond.
" experiment: --stop 25 --plot U --plot "V(U)"

CONTINUOUS SYSTEM TRIOD

STATE U V
DER DU DV

G = IF ABS(U)<SQRT(2) THEN 2-U*U ELSE 0    " slope of the characteristic
DU = V
DV = -U-EPS*(1-G)*V

U:0.25
EPS:1

END
