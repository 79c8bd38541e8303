package org.azuremail.feedback;

import org.azuremail.delivery.range.RangeKey;

/**
 * Names one email to those outside: neither the address nor the SubscriberGUID can be read from it.
 *
 * @param range in which its recipient stands
 * @param generation of the hand-over
 * @param recipient a fingerprint of the row key, which only this installation can compute
 */
public record MailHandle(RangeKey range, int generation, long recipient) {}
