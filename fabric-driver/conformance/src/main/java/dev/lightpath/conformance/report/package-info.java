/** What came of the requirements, for people and for machines. */
@NullMarked
package dev.lightpath.conformance.report;

import org.jspecify.annotations.NullMarked;
