/* Simnon systems in FORTRAN, written as its manual says: a subroutine of eight parts with COMMON /DESTIN/,
 * /TIME/ and /USER/, that declares its variables by CALL STATE(X,'X') and so on, and a subroutine SYSTS that calls
 * it. The deck and this file make the shared library of the system:
 *
 *     cc -O2 -fPIC -I include -c include/cutset_fortran.c
 *     gfortran -O2 -shared -fPIC -std=legacy -fdefault-real-8 -fno-automatic -o TRIOD.so triod.f cutset_fortran.o
 *
 * REAL variables get eight bytes (-fdefault-real-8) and last (-fno-automatic). A library is one system: of several
 * that SYSTS knows, -DCUTSET_ISYST=2 takes the second. Without a subroutine SYSTS,
 * -DCUTSET_SUBROUTINE=triode_ names the subroutine of the system, in small letters and with a `_`.
 * Identifiers are character constants, 'X'; Hollerith constants, 1HX, are not understood.
 */
#include "cutset_system.h"

#ifndef CUTSET_ISYST
#define CUTSET_ISYST 1
#endif
#ifndef CUTSET_SUBROUTINE
#define CUTSET_SUBROUTINE systs_
#endif

extern void CUTSET_SUBROUTINE(void);

#define CUTSET_COMMON __attribute__((aligned(16)))
/* The COMMON blocks; those that the deck does not mention are here all the same. */
struct cutset_destin {
    int isyst, ipart;
} destin_ CUTSET_COMMON = {CUTSET_ISYST, 0};
struct cutset_clock {
    double t;
} time_ CUTSET_COMMON = {0};
struct cutset_flags {
    int lstop, ldark; /* LOGICAL */
} user_ CUTSET_COMMON = {0, 0};
struct cutset_range {
    int nsyst;
} nsysts_ CUTSET_COMMON = {0};

/* A character argument as a string of C: without the blanks at its end. */
static const char* cutset_text(const char* text, size_t length) {
    static char copy[2][80];
    static int which;
    which = !which;
    while (length > 0 && text[length - 1] == ' ') --length;
    if (length >= sizeof copy[0]) length = sizeof copy[0] - 1;
    memcpy(copy[which], text, length);
    copy[which][length] = 0;
    return copy[which];
}

void ident_(const char* type, const char* name, size_t type_length, size_t name_length) {
    cutset_ident(cutset_text(type, type_length), cutset_text(name, name_length));
}

#define CUTSET_FORTRAN(word)                                                                          \
    void word##_(double* variable, const char* name, size_t length) {                                 \
        cutset_##word(variable, cutset_text(name, length));                                           \
    }                                                                                                 \
    void word##v_(double* vector, const int* count, const char* first, size_t length) {               \
        cutset_##word##v(vector, *count, cutset_text(first, length));                                 \
    }
CUTSET_FORTRAN(input)
CUTSET_FORTRAN(output)
CUTSET_FORTRAN(state)
CUTSET_FORTRAN(init)
CUTSET_FORTRAN(der)
CUTSET_FORTRAN(new)
CUTSET_FORTRAN(tsamp)
CUTSET_FORTRAN(par)
CUTSET_FORTRAN(var)

static void cutset_fortran_system(int part) {
    destin_.isyst = CUTSET_ISYST;
    destin_.ipart = part;
    time_.t = cutset_time;
    user_.lstop = cutset_stop;
    user_.ldark = cutset_dark;
    CUTSET_SUBROUTINE();
    cutset_stop = user_.lstop != 0;
    cutset_dark = user_.ldark != 0;
}
CUTSET_SYSTEM(cutset_fortran_system)
