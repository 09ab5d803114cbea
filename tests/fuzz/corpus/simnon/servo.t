" A motor turns to a given angle, under a continuous or a sampled controller.
"
" Shows: a connecting system. The systems MOTOR, CPID and DPID are found in the files beside this one.
" PAR CONT:0, or --set CONT=0, switches over to the sampled controller.
" experiment: --stop 2.5 --plot UP,MOTOR.Y,YR

CONNECTING SYSTEM SERVO

TIME T

YR = IF T<0.5 THEN 0 ELSE 1
YREF[CPID] = YR
Y[CPID] = Y[MOTOR]
YREF[DPID] = YR
Y[DPID] = Y[MOTOR]
U[MOTOR] = IF CONT THEN U[CPID] ELSE U[DPID]
CONT:1

UP = A*U[MOTOR]+B     " moved and scaled, to be seen in one plot with Y
A:1
B:0

END
