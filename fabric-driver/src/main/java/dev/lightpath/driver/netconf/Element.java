package dev.lightpath.driver.netconf;

import java.util.List;
import java.util.Optional;

/**
 * An element of XML.
 *
 * @param text its own text, without white space at the ends
 * @param id its attribute message-id, empty without one
 */
record Element(String namespace, String name, String id, String text, List<Element> children) {
    Element {
        children = List.copyOf(children);
    }

    Optional<Element> child(String wanted) {
        for (Element each : children) {
            if (each.name.equals(wanted)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    List<Element> children(String wanted) {
        return children.stream().filter(c -> c.name.equals(wanted)).toList();
    }

    /** Text of a child; empty without that child. */
    String text(String wanted) {
        return child(wanted).map(Element::text).orElse("");
    }

    /** The child of a child; empty on the way. */
    Optional<Element> at(String first, String then) {
        return child(first).flatMap(c -> c.child(then));
    }
}
