-- Circuits of resistors, capacitors, inductors and sources: USE ELECTRICAL
LIBRARY ELECTRICAL
USE PORTS_LIB

ABSTRACT COMPONENT OnePort "two pins, and the same current through both"
PORTS
   IN elec e_p "positive pin"
   OUT elec e_n "negative pin"
DECLS
   REAL v UNITS "V" "voltage from e_p to e_n"
   REAL i UNITS "A" "current from e_p to e_n"
TOPOLOGY
   PATH e_p TO e_n
CONTINUOUS
   v = e_p.v - e_n.v
   i = e_p.i
   e_p.i = e_n.i
END COMPONENT

COMPONENT Ground
PORTS
   IN elec e_p
CONTINUOUS
   e_p.v = 0
END COMPONENT

COMPONENT Resistor IS_A OnePort
DATA
   REAL R = 1 UNITS "Ohm" "resistance"
CONTINUOUS
   v = R*i
END COMPONENT

COMPONENT Capacitor IS_A OnePort
DATA
   REAL C = 1e-6 UNITS "F" "capacitance"
CONTINUOUS
   C*v' = i
END COMPONENT

COMPONENT Inductor IS_A OnePort
DATA
   REAL L = 1 UNITS "H" "inductance"
CONTINUOUS
   L*i' = v
END COMPONENT

COMPONENT VoltageSource IS_A OnePort
DATA
   REAL E = 10 UNITS "V" "voltage"
CONTINUOUS
   v = E
END COMPONENT

COMPONENT SineVoltage IS_A OnePort
DATA
   REAL E = 1 UNITS "V" "amplitude"
   REAL f = 50 UNITS "Hz" "frequency"
CONTINUOUS
   v = E*sin(2*PI*f*TIME)
END COMPONENT
