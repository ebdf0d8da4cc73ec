package dev.lightpath.app.publish;

import dev.lightpath.app.access.Access;
import dev.lightpath.app.access.Caller;
import dev.lightpath.app.access.Refused;
import dev.lightpath.app.access.Right;
import dev.lightpath.console.Sight;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a caller may see.
 *
 * @param fabrics whether fabrics as a whole
 * @param namespaces whose slices
 */
record Sees(boolean fabrics, Collection<String> namespaces) {
    /** Of which each is a question to the API server. */
    private static final int MOST_NAMESPACES = 256;

    Sight sight() {
        return new Sight(fabrics, namespaces::contains);
    }

    /**
     * @param known namespaces in question
     * @throws Refused 403 for a caller who may see nothing, 400 where there are too many namespaces to ask about
     */
    static Sees of(Access access, Caller caller, Collection<String> known) {
        boolean fabrics = access.may(caller, Right.FABRICS);
        if (access.may(caller, Right.ALL_SLICES)) {
            return new Sees(fabrics, known);
        }
        if (known.size() > MOST_NAMESPACES) {
            throw new Refused(400, "slices are in " + known.size() + " namespaces: ask for one, with ?namespace=NAME");
        }
        List<String> shown = new ArrayList<>();
        for (String namespace : known) {
            if (access.may(caller, Right.slices(namespace))) {
                shown.add(namespace);
            }
        }
        if (!fabrics && shown.isEmpty()) {
            throw new Refused(
                    403,
                    caller.name() + " may neither " + Right.FABRICS + " nor " + Right.ALL_SLICES
                            + " in a namespace that has any: ?namespace=NAME names one");
        }
        return new Sees(fabrics, shown);
    }
}
