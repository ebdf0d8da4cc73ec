package dev.lightpath.conformance.requirement;

import static dev.lightpath.conformance.bench.Expect.that;

import dev.lightpath.conformance.bench.Unmet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A list that is read page by page. */
public final class Pages {
    private static final int MOST = 10_000;

    private Pages() {}

    /** Entries, and the token of the next page; empty on the last. */
    public record Page<T>(List<T> entries, String next) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Reads all pages. A page may be empty, the last one too; what repeats a token, or has no end, is not met.
     *
     * @param what the entries, for people
     * @param size most entries of a page, as asked for; 0: the driver's choice
     * @param page answers the page of a token
     */
    public static <T> List<T> all(String what, int size, Function<String, Page<T>> page) {
        List<T> all = new ArrayList<>();
        Set<String> tokens = new HashSet<>();
        String token = "";
        for (int asked = 0; asked < MOST; asked++) {
            Page<T> next = page.apply(token);
            that(
                    size == 0 || next.entries().size() <= size,
                    "at most " + size + " " + what + " on a page",
                    next.entries().size());
            all.addAll(next.entries());
            token = next.next();
            if (token.isEmpty()) {
                return List.copyOf(all);
            }
            that(tokens.add(token), "a next_page_token that was not given before", "'" + token + "' again");
        }
        throw new Unmet("an end of the pages of " + what, MOST + " pages, with " + all.size() + " " + what);
    }
}
