/**
 * Transceivers of one node, by CMIS (OIF-CMIS-05.x): lower memory, pages and banks behind the two selecting bytes, the
 * module's state, flags and monitors. The path selector is the vendor's and is described by a file for each module
 * type.
 */
@NullMarked
package dev.lightpath.driver.cmis;

import org.jspecify.annotations.NullMarked;
