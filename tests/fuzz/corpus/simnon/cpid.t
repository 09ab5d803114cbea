" A continuous PID controller. The derivative acts on the measured value and is filtered.

CONTINUOUS SYSTEM CPID

INPUT YREF Y
OUTPUT U
STATE I X
DER DI DX

OUTPUT
E = YREF-Y
P = G*E
D = -GD*(Y-X)
U = P+I+D

DYNAMICS
DI = E/TI
DX = -GD/TD*(X-Y)

G:1
TI:1E10
GD:0
TD:1

END
