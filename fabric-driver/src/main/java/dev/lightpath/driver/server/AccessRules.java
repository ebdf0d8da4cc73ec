package dev.lightpath.driver.server;

import dev.lightpath.driver.config.Access;
import java.util.List;

/** The access rules in force. */
final class AccessRules {
    private volatile List<Access.Rule> rules;

    AccessRules(List<Access.Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    List<Access.Rule> inForce() {
        return rules;
    }

    void replace(List<Access.Rule> next) {
        rules = List.copyOf(next);
    }
}
