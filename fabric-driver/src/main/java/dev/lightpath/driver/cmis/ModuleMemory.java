package dev.lightpath.driver.cmis;

/** The memory of a module by bank, page and byte. One caller at a time. */
interface ModuleMemory extends AutoCloseable {
    /** The last byte of the lower memory, which no page selects. */
    int LAST_LOWER = 127;

    /** The last byte of a page. */
    int LAST = 255;

    /** @param offset up to {@link #LAST_LOWER}: of the lower memory, whatever the bank and page */
    byte[] read(int bank, int page, int offset, int length) throws NotAnsweredException;

    void write(int bank, int page, int offset, byte[] bytes) throws NotAnsweredException;

    @Override
    void close();
}
