package dev.lightpath.app.whole;

/** What goes wrong during an act. Once. */
interface Disturbance {
    Disturbance NONE = new Disturbance() {
        @Override
        public String name() {
            return "undisturbed";
        }

        @Override
        public void begin(Installation all) {}

        @Override
        public void end(Installation all, LightLog light) {}

        @Override
        public boolean met() {
            return true;
        }
    };

    /** For a person: what, and where. */
    String name();

    /** Before the act happens. */
    void begin(Installation all) throws Exception;

    /** When it has happened; may take its time. */
    default void meanwhile(Installation all, LightLog light) throws Exception {}

    /** While the end of the act is waited for, again and again. */
    default void still(Installation all) throws Exception {}

    /** When the act has ended as it should. */
    void end(Installation all, LightLog light) throws Exception;

    /** Whether it came to it: threads run in another order each time. */
    boolean met();
}
