package dev.lightpath.driver.cmis;

/** The module did not answer, or not so that its answer can be used: what it did is unknown. */
final class NotAnsweredException extends Exception {
    private static final long serialVersionUID = 1L;

    NotAnsweredException(String message) {
        super(message);
    }
}
