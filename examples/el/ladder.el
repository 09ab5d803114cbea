-- A ladder of resistors and capacitors of any length: construction parameters, EXPAND, ports of a library.
--     cutset simulate ladder.el

USE ELECTRICAL

COMPONENT ladder (INTEGER n = 4) "n steps from the source to the end"
TOPOLOGY
   VoltageSource source(E = 1)
   Resistor R[n](R = 2)
   Capacitor C[n](C = 0.5)
   Ground ground
   CONNECT source.e_p TO R[1].e_p
   EXPAND_BLOCK (k IN 1,n)
      CONNECT R[k].e_n TO C[k].e_p
      CONNECT C[k].e_n TO ground.e_p
   END EXPAND_BLOCK
   EXPAND (k IN 2,n) CONNECT R[k-1].e_n TO R[k].e_p
   CONNECT source.e_n TO ground.e_p
END COMPONENT

EXPERIMENT charge ON ladder
BODY
   TSTOP = 60
   CINT = 0.5
   INTEG()
END EXPERIMENT
