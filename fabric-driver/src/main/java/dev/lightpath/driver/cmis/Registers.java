package dev.lightpath.driver.cmis;

/** The 256 bytes that a module shows on its bus (address 0x50): lower memory, and the page that is selected. */
interface Registers extends AutoCloseable {
    byte[] read(int offset, int length) throws BusyException, NotAnsweredException;

    /** In one transaction: at most 8 bytes, as CMIS allows. */
    void write(int offset, byte[] bytes) throws BusyException, NotAnsweredException;

    @Override
    void close();
}
