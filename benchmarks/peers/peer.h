/* One model as a programmer would write it by hand, and the loop that all such programs share (peer.c). */
#ifndef PEER_H
#define PEER_H

typedef struct Peer Peer;
struct Peer {
    int n;                  /* states */
    double *start;          /* their values at time 0 */
    /* Derivatives. Returns 0, or 1 to ask for a shorter step. */
    int (*rhs)(double t, const double *x, double *dx);
    /* The Jacobian: n*n numbers by columns, set to zero beforehand, or the entries of the pattern. */
    void (*jacobian)(double t, const double *x, double *entries);
    const int *column_start, *row; /* the pattern, NULL for a dense Jacobian */
    int roots;
    void (*root)(double t, const double *x, double *g);
    /* At a root or at the time event `next`: changes x; returns 1 when integration must begin again. */
    int (*event)(double t, double *x, const int *direction);
    double (*next)(void);   /* the next instant known beforehand; NULL for none */
    /* What is compared at the end: names as in Cutset's result. */
    void (*name)(int i, char *text);
};

/* Defined by each peer; `argument` is the size or 0. */
void make_peer(Peer *peer, int argument);

#endif
