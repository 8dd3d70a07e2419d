/* Values of positions read from standard input, for checking games of other engines. */
#ifndef POSITIONS_H
#define POSITIONS_H

/* Reads lines `move|respond|give_more OWN ## OTHER ## TABLE ## TRUMP ## STOCK`, cards as in the protocol, STOCK 0 or 1, and prints
 * 1, 0 or -1 for the player in turn, or ? where `seconds` do not suffice for a proof. Returns the exit code. */
int value_positions(double seconds);

#endif
