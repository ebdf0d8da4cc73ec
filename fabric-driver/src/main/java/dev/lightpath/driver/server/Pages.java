package dev.lightpath.driver.server;

import com.google.protobuf.MessageLite;
import com.google.rpc.Code;
import dev.lightpath.driver.contract.view.ContractException;
import dev.lightpath.proto.driver.v1alpha1.ErrorReason;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Pages of things with sorted names; a token is the last name of the page before. */
final class Pages {
    /** One page and the token of the next, empty on the last. */
    record Page<T>(List<T> items, String nextToken) {}

    /** Clients accept 4 MiB by default; a page that would be longer ends earlier. */
    private static final int MOST_BYTES = 3 << 20;

    private Pages() {}

    /** How many of these messages, at least one, fit into one answer. */
    static int fitting(List<? extends MessageLite> messages) {
        long bytes = 0;
        int count = 0;
        for (MessageLite each : messages) {
            bytes += each.getSerializedSize();
            if (count > 0 && bytes > MOST_BYTES) {
                break;
            }
            count++;
        }
        return count;
    }

    static <T> Page<T> page(SortedMap<String, T> all, int asked, int usual, int most, String token) {
        if (asked < 0) {
            throw new ContractException(
                    Code.INVALID_ARGUMENT,
                    ErrorReason.ERROR_REASON_MALFORMED,
                    "page_size: allowed is 0 and above",
                    Map.of("field", "page_size"));
        }
        int size = asked == 0 ? usual : Math.min(asked, most);
        SortedMap<String, T> rest = token.isEmpty() ? all : all.tailMap(token + "\0");
        List<Map.Entry<String, T>> entries =
                rest.entrySet().stream().limit(size + 1L).toList();
        boolean more = entries.size() > size;
        List<Map.Entry<String, T>> kept = more ? entries.subList(0, size) : entries;
        return new Page<>(
                kept.stream().map(Map.Entry::getValue).toList(),
                more ? kept.getLast().getKey() : "");
    }
}
