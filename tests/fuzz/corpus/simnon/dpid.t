" The same in a computer that acts every DT; its output is held in between.

DISCRETE SYSTEM DPID

INPUT YREF Y
OUTPUT U
STATE I X
NEW NI NX
TIME T
TSAMP TS

OUTPUT
E = YREF-Y
P = G*E
D = -TD*(Y-X)/DT
U = P+I+D

DYNAMICS
NI = I+E/TI*DT
NX = Y
TS = T+DT

G:1
TI:1E10
TD:0
DT:1

END
