package dev.lightpath.driver.tl1;

import java.util.List;

/** What a device says. */
sealed interface Message {
    /** Text of its lines, without indentation and quotation marks. */
    List<String> lines();

    /**
     * The answer to a command.
     *
     * @param name of the device, as the answer begins; empty: it has none
     * @param tag of the command
     * @param code {@code COMPLD}, {@code DENY} ...
     */
    record Answer(String name, String tag, String code, List<String> lines) implements Message {
        public Answer {
            lines = List.copyOf(lines);
        }
    }

    /**
     * It tells something by itself.
     *
     * @param verb such as {@code REPT ALM PORT}
     */
    record Report(String verb, List<String> lines) implements Message {
        public Report {
            lines = List.copyOf(lines);
        }
    }
}
