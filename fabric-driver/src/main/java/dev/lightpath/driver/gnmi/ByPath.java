package dev.lightpath.driver.gnmi;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which part of an answer is about which question. The specification wants one notification for each path of a Get. It
 * says nothing about modules in the names of paths that are told: they count for nothing here.
 */
final class ByPath {
    private ByPath() {}

    /** Empty if the answer is not one notification for each path, in their order, about that path. */
    static Optional<Map<Path, List<Notification>>> of(List<Path> asked, List<Notification> answer) {
        if (answer.size() != asked.size()) {
            return Optional.empty();
        }
        Map<Path, List<Notification>> all = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            if (!isAbout(asked.get(i), answer.get(i))) {
                return Optional.empty();
            }
            all.put(asked.get(i), List.of(answer.get(i)));
        }
        return Optional.of(all);
    }

    private static boolean isAbout(Path asked, Notification told) {
        List<PathElem> wanted = local(asked.getElemList().stream());
        return told.getUpdateList().stream().allMatch(update -> {
            List<PathElem> at = local(
                    Stream.concat(told.getPrefix().getElemList().stream(), update.getPath().getElemList().stream()));
            return at.size() >= wanted.size() && at.subList(0, wanted.size()).equals(wanted);
        });
    }

    private static List<PathElem> local(Stream<PathElem> names) {
        return names.map(name ->
                        name.toBuilder().setName(Rows.local(name.getName())).build())
                .toList();
    }
}
