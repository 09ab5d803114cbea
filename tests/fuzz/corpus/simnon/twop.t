" A boundary value problem by shooting: the same curve again and again, with better initial values of LAM.
"
" Shows: states that a discrete system sets; a system in C (secan.c), which says when to stop. Compile it first:
"   cc -shared -fPIC -I include -o examples/simnon/secan.so examples/simnon/secan.c
"   cutset simulate examples/simnon/twop.t --allow-external
" experiment: --stop 1000 --plot "AREA.R(X)" --set AREA.R2=0.6 --set SECAN.Y0=-2 --set SECAN.Y1=2

CONNECTING SYSTEM TWOP

TIME T

F[SECAN] = E[AREA]
LAM[RESET] = Y[SECAN]
X = T-TBEG[SECAN]

END
