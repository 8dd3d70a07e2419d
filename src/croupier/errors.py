"""InputError: a mistake that a person can correct."""


class InputError(ValueError):
    """Something a person can get wrong: the message says what it was and what would be right.

    The command line prints the message as one line and exits with code 2; anything else that
    is raised is a defect of Croupier.

    Examples
    --------
    >>> raise InputError("hand '1X': no rank '1'; ranks are 2-9, T, J, Q, K, A")
    Traceback (most recent call last):
    croupier.errors.InputError: hand '1X': no rank '1'; ranks are 2-9, T, J, Q, K, A
    """
