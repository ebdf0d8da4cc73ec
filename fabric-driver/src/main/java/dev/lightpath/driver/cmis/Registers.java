package dev.lightpath.driver.cmis;

/**
 * The 256 bytes that a module shows on its bus (address 0x50): lower memory, and the page that is selected. Other
 * programs may select pages of the same module. So each access to a page selects it, in the same transaction.
 */
interface Registers extends AutoCloseable {
    /** Bytes 126 and 127: the bank and the page that are shown. */
    int SELECTS = 126;

    /** Of the lower memory. */
    byte[] read(int offset, int length) throws BusyException, NotAnsweredException;

    /** Into the lower memory, in one transaction: at most 8 bytes, as CMIS allows. */
    void write(int offset, byte[] bytes) throws BusyException, NotAnsweredException;

    /** Selects a page and reads of it, in one transaction. */
    Shown read(int bank, int page, int offset, int length) throws BusyException, NotAnsweredException;

    /** Selects a page and writes at most 8 bytes into it, in one transaction. */
    void write(int bank, int page, int offset, byte[] bytes) throws BusyException, NotAnsweredException;

    @Override
    void close();

    /**
     * Bytes of a page.
     *
     * @param bank that the module showed
     * @param page that the module showed
     */
    record Shown(int bank, int page, byte[] bytes) {
        boolean is(int ofBank, int ofPage) {
            return bank == ofBank && page == ofPage;
        }

        @Override
        public String toString() {
            return "page %02Xh of bank %d".formatted(page, bank);
        }
    }
}
