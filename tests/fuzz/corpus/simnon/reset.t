" Sets the states of AREA back to the beginning of the curve, every DT.

DISCRETE SYSTEM RESET

TIME T
INPUT LAM
TSAMP TS

R[AREA] = R1
LAM[AREA] = LAM
TS = T+DT

R1:1
DT:1

END
