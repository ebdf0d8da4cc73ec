package dev.lightpath.driver.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the vendor of a module says of its path selector; CMIS does not.
 *
 * @param file that says so, for people
 * @param vendor the name that such modules have; {@code *} stands for any text
 * @param partNumber likewise
 * @param lanes of the host that the bundle carries, as a bit each from lane 1 on
 * @param selector where a position is written
 * @param status where the position is read
 * @param settles the longest time that a change of position takes
 * @param failed where the module says which of its ports has failed; empty: it does not
 * @param stuck where it says which of its ports does not move
 * @param trace where it sends a text to the far end, and shows the far end's
 */
public record ModuleType(
        String file,
        String vendor,
        String partNumber,
        int lanes,
        Selector selector,
        Status status,
        Duration settles,
        Optional<PortBits> failed,
        Optional<PortBits> stuck,
        Optional<Trace> trace) {

    /** Whether this describes a module that says so of itself. */
    public boolean describes(String ofVendor, String number) {
        return fits(vendor, ofVendor) && fits(partNumber, number);
    }

    private static boolean fits(String written, String said) {
        String pattern =
                Arrays.stream(written.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return said.matches(pattern);
    }

    /** A byte of a page of the vendor. */
    public record Register(int bank, int page, int offset) {
        @Override
        public String toString() {
            return "%02Xh:%d".formatted(page, offset);
        }
    }

    /**
     * Values of the positions.
     *
     * @param dark the value that leads light nowhere; empty: there is none
     */
    public record Selector(Register register, int loop, int path1, int path2, Optional<Integer> dark) {}

    /**
     * Values that are read.
     *
     * @param moving while it changes its position; empty: it shows the old position
     * @param failed when it cannot; empty: it shows the old position
     */
    public record Status(
            Register register, int loop, int path1, int path2, Optional<Integer> moving, Optional<Integer> failed) {}

    /** A register with a bit for each port of the module. */
    public record PortBits(Register register, int common, int loop, int path1, int path2) {}

    /** Text of at most {@code length} bytes, with zeros behind it. */
    public record Trace(Register transmit, Register receive, int length) {}
}
