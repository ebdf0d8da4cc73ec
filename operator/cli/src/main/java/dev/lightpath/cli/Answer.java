package dev.lightpath.cli;

import dev.lightpath.console.text.Table;

/**
 * What a command found out.
 *
 * @param document what {@code --output json} prints: a record, map, list or Jackson node with the field names of the
 *     command line's reference
 * @param table the same for people
 */
public record Answer(Object document, Table table) {}
