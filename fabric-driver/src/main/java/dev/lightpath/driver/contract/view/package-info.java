/** What a device shows, by the words of the contract. */
@NullMarked
package dev.lightpath.driver.contract.view;

import org.jspecify.annotations.NullMarked;
