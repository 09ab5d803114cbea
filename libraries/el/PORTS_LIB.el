-- Ports of signals, electrical circuits, mechanics and heat: USE PORTS_LIB
LIBRARY PORTS_LIB

CONST REAL TZERO = 273.15 "0 degrees Celsius in kelvin"

PORT analog_signal (INTEGER n = 1) SINGLE IN "n real signals"
   EQUAL OUT REAL signal[n] "value"
END PORT

PORT bool_signal (INTEGER n = 1) SINGLE IN "n truth values"
   EQUAL OUT BOOLEAN signal[n] "value"
END PORT

PORT elec "pin of an electrical circuit"
   EQUAL REAL v UNITS "V" "potential"
   SUM REAL i UNITS "A" "current"
END PORT

PORT mech_rot "flange of a shaft"
   SUM REAL T UNITS "N.m" "torque"
   EQUAL REAL omega UNITS "rad/s" "angular velocity"
   REAL n UNITS "rpm" "turns in a minute"
CONTINUOUS
   omega = n*2*PI/60
END PORT

PORT mech_trans "flange of a sliding rod"
   SUM REAL F UNITS "N" "force"
   EQUAL REAL s UNITS "m" "position"
END PORT

PORT thermal (INTEGER n = 1) "n places that exchange heat"
   EQUAL REAL Tk[n] = 293.15 RANGE 0, Inf UNITS "K" "temperature"
   REAL Tc[n] = 20 UNITS "degC" "temperature"
   SUM REAL q[n] UNITS "W" "heat flow"
CONTINUOUS
   EXPAND (j IN 1,n) Tc[j] = Tk[j] - TZERO
END PORT
